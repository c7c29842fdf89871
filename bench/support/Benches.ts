/** All benches by name, and the one that a command asks for. */
import { type Described, helpOf } from "./Options.ts"

interface Bench {
  readonly run: (args: ReadonlyArray<string>) => Promise<number>
  readonly taken: Described
}

export const benches: Record<string, { readonly about: string; readonly load: () => Promise<Bench> }> = {
  "barge-in": { about: "how soon the agent is silent when it is interrupted", load: () => import("../barge-in.ts") },
  calls: {
    about: "how many conversations an engine carries, and what each of them costs",
    load: () => import("../calls.ts")
  },
  compare: { about: "what changed between kept runs, beyond the noise", load: () => import("../compare.ts") },
  dashboard: {
    about: "how heavy the pages of the dashboard are, how soon they are ready, and how soon they answer a key",
    load: () => import("../dashboard.ts")
  },
  dialogues: {
    about: "turn-taking in scripted calls with hesitations, noise and interruptions",
    load: () => import("../dialogues.ts")
  },
  endings: {
    about: "a thousand short calls that end in every way: is each end on record, once?",
    load: () => import("../endings.ts")
  },
  eot: {
    about: "how soon the end of a turn is known, and how often a caller who stops to think is cut off",
    load: () => import("../eot.ts")
  },
  features: { about: "the cost of each feature of a call, one at a time", load: () => import("../features.ts") },
  figures: {
    about: "one after the other: floor, calls, setup, overload, features, latency, barge-in, frame and soak",
    load: () => import("../figures.ts")
  },
  flame: { about: "draws a profile of V8 as a flame graph", load: () => import("../flame.ts") },
  floor: {
    about: "the cost of a frame beside a bare server that only sends it back",
    load: () => import("../floor.ts")
  },
  frame: { about: "cost of one 20 ms frame, incoming and outgoing", load: () => import("../frame.ts") },
  hostile: {
    about: "calls beside the worst input of each kind that a stranger can send",
    load: () => import("../hostile.ts")
  },
  http: { about: "the cost of requests beside a server of Fastify and pg", load: () => import("../http.ts") },
  integrations: {
    about: "10,000 changes in a minute told to integrations, of which some answer 429 or are dead, and a kill",
    load: () => import("../integrations.ts")
  },
  knowledge: {
    about: "whether agents find the right passage of a knowledge base, and how soon",
    load: () => import("../knowledge.ts")
  },
  latency: { about: "what Parley adds between the end of a turn and the answer", load: () => import("../latency.ts") },
  mcp: {
    about: "500 sessions of assistants and 200 tool calls a second, beside the REST route",
    load: () => import("../mcp.ts")
  },
  messages: {
    about: "lists, searches and conversations among a million contacts and five million messages",
    load: () => import("../messages.ts")
  },
  outage: {
    about: "every provider, and the database, away for two seconds in the middle of calls",
    load: () => import("../outage.ts")
  },
  overload: {
    about: "half as many calls again as there is room for",
    load: () => import("../overload.ts")
  },
  panel: {
    about: "who holds the floor in calls in noise: interruptions, listening noises, coughs, other people",
    load: () => import("../panel.ts")
  },
  sends: {
    about: "messages accepted per second, durably, with none and a million queued",
    load: () => import("../sends.ts")
  },
  setup: { about: "a hundred calls a second: webhook to the first frame", load: () => import("../setup.ts") },
  shop: {
    about: "lists among a million orders, and a thousand webhooks of stores a second, stored durably",
    load: () => import("../shop.ts")
  },
  soak: { about: "calls come and go: does the engine end where it began?", load: () => import("../soak.ts") },
  survive: {
    about: "engines are killed while callers talk: does anybody notice?",
    load: () => import("../survive.ts")
  },
  turn: { about: "what a turn costs in processor time, also on a busy machine", load: () => import("../turn.ts") },
  vad: { about: "misses and false alarms of voice activity detection in noise", load: () => import("../vad.ts") },
  webhooks: {
    about: "how soon the channel's webhooks are answered while their processing is blocked",
    load: () => import("../webhooks.ts")
  }
}

const list = (): string =>
  [
    "usage: npm run bench -- <name> [options], `--help` behind a name says which",
    ...Object.entries(benches).map(([known, { about }]) => `  ${known.padEnd(10)} ${about}`)
  ].join("\n")

/** Runs the bench that `argv` names; gives the exit code. Without a name, or asked for help, it only tells. */
export const runNamed = async ([name, ...args]: ReadonlyArray<string>): Promise<number> => {
  if (name === undefined || name === "--help") {
    console.log(list())
    return 0
  }
  if (!Object.hasOwn(benches, name)) {
    console.error(`there is no bench "${name}"\n${list()}`)
    return 2
  }
  const { about, load } = benches[name]
  const bench = await load()
  if (args.includes("--help")) {
    console.log(helpOf(name, about, bench.taken))
    return 0
  }
  return bench.run(args)
}
