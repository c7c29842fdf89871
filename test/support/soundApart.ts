/** A service whose sound is in a process of its own, and an agent that waits for a minute before it asks whether the caller is there. */
import { stripVTControlCharacters } from "node:util"
import { Effect } from "effect"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { eventually } from "./eventually.ts"
import { type ProcessOptions, startParleyProcess } from "./process.ts"

/** Lives as long as the scope. */
export const startSoundApart = Effect.fnUntraced(function* (options: ProcessOptions) {
  const mediaPort = yield* Effect.promise(freePort)
  const parley = yield* startParleyProcess({
    ...options,
    agent: {
      silence: { promptAfterSeconds: 60, maxPrompts: 1, promptText: "Hello?", goodbyeText: "Bye." },
      ...options.agent
    },
    args: ["--sound", "process", ...(options.args ?? [])],
    env: { MEDIA_PORT: `${mediaPort}`, STREAM_URL: `wss://127.0.0.1:${mediaPort}/media`, ...options.env }
  })
  const log = () => stripVTControlCharacters(parley.log())
  /** The processes of this kind that were started, in order. */
  const started = (kind: "worker" | "media") =>
    [...log().matchAll(new RegExp(`${kind} started\\s+\\{ ${kind}: (\\d+), pid: (\\d+) \\}`, "g"))].map(
      ([, id, pid]) => ({
        id: Number(id),
        pid: Number(pid)
      })
    )
  const wordsOf = (callId: string) =>
    Effect.map(parley.utterances(callId), (said) => said.map(({ role, text }) => `${role}: ${text}`))
  /** Resolves when the agent has said this sentence in the newest call. A line that fills a wait is another one. */
  const answered = (sentence: string) =>
    Effect.runPromise(
      eventually(
        "the answer after the take-over",
        async () => {
          const [{ id }] = await Effect.runPromise(parley.records)
          const said = await Effect.runPromise(wordsOf(id))
          return said.includes(`agent: ${sentence}`) ? true : undefined
        },
        90
      )
    )
  return { ...parley, log, started, wordsOf, answered }
})
