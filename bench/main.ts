/** `npm run bench` lists the benchmarks, `npm run bench -- <name> [arguments]` runs one; exit code 1 when it misses its limit. */

type Bench = { readonly run: (args: ReadonlyArray<string>) => Promise<number> }

const benches: Record<string, { readonly about: string; readonly load: () => Promise<Bench> }> = {
  "barge-in": { about: "how soon the agent is silent when it is interrupted", load: () => import("./barge-in.ts") },
  calls: {
    about: "how many conversations an engine carries, and what each of them costs",
    load: () => import("./calls.ts")
  },
  dialogues: {
    about: "turn-taking in scripted calls with hesitations, noise and interruptions",
    load: () => import("./dialogues.ts")
  },
  features: { about: "the cost of each feature of a call, one at a time", load: () => import("./features.ts") },
  figures: {
    about: "all benches of calls that docs/performance.md quotes, one after the other",
    load: () => import("./figures.ts")
  },
  flame: { about: "draws a profile of V8 as a flame graph", load: () => import("./flame.ts") },
  floor: {
    about: "the cost of a frame beside a bare server that only sends it back",
    load: () => import("./floor.ts")
  },
  frame: { about: "cost of one 20 ms frame, incoming and outgoing", load: () => import("./frame.ts") },
  http: { about: "the cost of requests beside a server of Fastify and pg", load: () => import("./http.ts") },
  latency: { about: "what Parley adds between the end of a turn and the answer", load: () => import("./latency.ts") },
  messages: {
    about: "lists, searches and conversations among a million contacts and five million messages",
    load: () => import("./messages.ts")
  },
  outage: {
    about: "every provider, and the database, away for two seconds in the middle of calls",
    load: () => import("./outage.ts")
  },
  overload: {
    about: "half as many calls again as there is room for",
    load: () => import("./overload.ts")
  },
  sends: {
    about: "messages accepted per second, durably, with none and a million queued",
    load: () => import("./sends.ts")
  },
  setup: { about: "a hundred calls a second: webhook to the first frame", load: () => import("./setup.ts") },
  soak: { about: "calls come and go: does the engine end where it began?", load: () => import("./soak.ts") },
  turn: { about: "what a turn costs in processor time, also on a busy machine", load: () => import("./turn.ts") },
  vad: { about: "misses and false alarms of voice activity detection in noise", load: () => import("./vad.ts") },
  webhooks: {
    about: "how soon the channel's webhooks are answered while their processing is blocked",
    load: () => import("./webhooks.ts")
  }
}

const [name, ...args] = process.argv.slice(2)
const bench = name === undefined ? undefined : benches[name]
if (bench === undefined) {
  console.log("usage: npm run bench -- <name>")
  for (const [known, { about }] of Object.entries(benches)) console.log(`  ${known.padEnd(10)} ${about}`)
  process.exitCode = name === undefined ? 0 : 1
} else {
  process.exitCode = await (await bench.load()).run(args)
}
