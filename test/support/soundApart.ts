/** Services whose sound is in a process of its own, and an agent that waits for a minute before it asks whether the caller is there. */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { makeAuthority, writeIssued } from "./authority.ts"
import { eventually } from "./eventually.ts"
import { temporaryFolder } from "./folder.ts"
import { type ProcessOptions, spawned, startParleyProcess } from "./process.ts"

/** The process with the sound is a sibling of the engine. Lives as long as the scope. */
export const startSoundApart = Effect.fnUntraced(function* (options: ProcessOptions) {
  const mediaPort = yield* Effect.promise(freePort)
  return yield* startPatient({
    ...options,
    args: ["--sound", "process", ...(options.args ?? [])],
    env: { MEDIA_PORT: `${mediaPort}`, STREAM_URL: `wss://127.0.0.1:${mediaPort}/media`, ...options.env }
  })
})

const engineName = "engine.parley.internal"

/** The process with the sound is one by itself, as on another machine: its clock is ten hours ahead, and the engines reach it by TLS. Lives as long as the scope. */
export const startSoundElsewhere = Effect.fnUntraced(function* (options: ProcessOptions) {
  const [mediaPort, linkPort] = [yield* Effect.promise(freePort), yield* Effect.promise(freePort)]
  const folder = yield* temporaryFolder("certificates")
  const { issue } = makeAuthority()
  const ofSound = writeIssued(folder, "media", issue({ names: ["127.0.0.1"] }))
  const ofEngine = writeIssued(folder, "engine", issue({ names: [engineName] }))
  const media = yield* spawned(
    [
      ...["--port", `${mediaPort}`, "--listen", `127.0.0.1:${linkPort}`, "--engines", engineName],
      ...["--cert", ofSound.cert, "--key", ofSound.key, "--ca", ofSound.ca]
    ],
    { NODE_ENV: "development" },
    "node",
    { command: "media", clockAheadSeconds: 36_000 }
  )
  const service = yield* startPatient({
    ...options,
    env: {
      MEDIA_LINKS: `tls://127.0.0.1:${linkPort}`,
      MEDIA_LINK_CERT: ofEngine.cert,
      MEDIA_LINK_KEY: ofEngine.key,
      MEDIA_LINK_CA: ofEngine.ca,
      STREAM_URL: `wss://127.0.0.1:${mediaPort}/media`,
      ...options.env
    }
  })
  return { ...service, media, linkPort }
})

const startPatient = Effect.fnUntraced(function* (options: ProcessOptions) {
  const parley = yield* startParleyProcess({
    ...options,
    agent: {
      silence: { promptAfterSeconds: 60, maxPrompts: 1, promptText: "Hello?", goodbyeText: "Bye." },
      ...options.agent
    }
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
  /** The pid of the engine that writes the journal of the call that is there. */
  const holder = () =>
    eventually("the engine of the call", async () => {
      for (const { id, pid } of started("worker")) {
        const folder = id === 1 ? "" : `worker-${id}`
        const names = await readdir(join(parley.dataDir, "calls", folder)).catch((): Array<string> => [])
        if (names.some((name) => name.endsWith(".jsonl"))) return pid
      }
    })
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
  /** Dies unless the newest call has ended, by its caller, and has each of these sentences on record once. Gives its record. */
  const recordsOnce = Effect.fnUntraced(function* (sentences: ReadonlyArray<string>) {
    const record = yield* eventually("the end of the call", async () => {
      const [newest] = await Effect.runPromise(parley.records)
      return newest?.endReason === null ? undefined : newest
    })
    assert.strictEqual(record.endReason, "caller_hangup", log())
    const said = (yield* wordsOf(record.id)).join("\n")
    for (const text of sentences) assert.strictEqual(said.split(text).length, 2, `${text}\n\n${said}`)
    return record
  })
  return { ...parley, log, started, holder, wordsOf, answered, recordsOnce }
})
