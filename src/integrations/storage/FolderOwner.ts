/**
 * Makes sure that only one process works in a folder. The claim is a file. A crash leaves the file behind, so it counts only while its process
 * lives. For an owner on the same machine (the same boot of the kernel and the same process namespace) the system says whether it lives. Process
 * ids are reused, in containers nearly always, so the start time must be the same too (Linux). An owner elsewhere (in another container, or on
 * another host that has the folder over the network) touches its file every second, and counts as living as long as it does that.
 */
import { randomBytes } from "node:crypto"
import { mkdir, open, readFile, readlink, rename, rm, stat, utimes } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect, Layer, Option, Schema } from "effect"
import { undefinedIf } from "./FileErrors.ts"
import { alive, startTime } from "./ProcessLife.ts"

const beatMs = 1_000
/** An owner elsewhere is dead after five missed beats: the event loop of a process may be busy for a while. */
const silenceMs = 5 * beatMs

const Owner = Schema.fromJsonString(
  Schema.Struct({
    pid: Schema.Int,
    started: Schema.optionalKey(Schema.String),
    place: Schema.optionalKey(Schema.String)
  })
)
const decodeOwner = Schema.decodeUnknownOption(Owner)

const ownerFile = (folder: string) => join(folder, "owner")

const absent = (): undefined => undefined

/** Identifies the kernel boot and process namespace: where it is equal, process ids mean the same processes. */
const place = async (): Promise<string> => {
  const [boot, namespace] = await Promise.all([
    readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(absent),
    readlink("/proc/self/ns/pid").catch(absent)
  ])
  return boot === undefined || namespace === undefined ? hostname() : `${boot.trim()} ${namespace}`
}

const read = (file: string) => readFile(file, "utf8").catch(undefinedIf("ENOENT"))

/** A value that changes with every beat and with the owner; undefined when there is no claim. */
const sign = async (file: string): Promise<string | undefined> => {
  const text = await read(file)
  const stats = await stat(file).catch(undefinedIf("ENOENT"))
  return text === undefined || stats === undefined ? undefined : `${stats.mtimeMs} ${text}`
}

const beats = async (file: string): Promise<boolean> => {
  const before = await sign(file)
  for (let waited = 0; waited < silenceMs; waited += 250) {
    await sleep(250)
    const now = await sign(file)
    if (now !== before) return now !== undefined
  }
  return false
}

const lives = async (file: string, text: string): Promise<boolean> => {
  const owner = Option.getOrUndefined(decodeOwner(text))
  if (owner !== undefined && (owner.place === undefined || owner.place === (await place()))) {
    if (!alive(owner.pid)) return false
    if (owner.started !== undefined) return (await startTime(owner.pid)) === owner.started
  }
  return beats(file)
}

/** Creates the file. False when it already exists. */
const make = async (file: string, text: string): Promise<boolean> => {
  const handle = await open(file, "wx").catch(undefinedIf("EEXIST"))
  if (handle === undefined) return false
  try {
    await handle.writeFile(text)
    return true
  } catch (cause) {
    await rm(file, { force: true })
    throw cause
  } finally {
    await handle.close()
  }
}

/** Removes the claim of a dead process. Another process may have claimed the folder in the meantime: its claim stays. */
const clear = async (file: string, dead: string): Promise<void> => {
  const aside = `${file}.${randomBytes(6).toString("hex")}`
  await rename(file, aside).catch(undefinedIf("ENOENT"))
  const text = await read(aside)
  if (text !== undefined && text !== dead) await make(file, text)
  await rm(aside, { force: true })
}

interface Claim {
  readonly text: string
  readonly beat: NodeJS.Timeout
}

/** The claims of this process, by file. */
const claims = new Map<string, Claim>()

const keep = (file: string, text: string): void => {
  const beat = setInterval(() => {
    const now = new Date()
    // After a failed beat (the disk is busy or gone) comes the next one.
    utimes(file, now, now).catch(absent)
  }, beatMs)
  claims.set(file, { text, beat: beat.unref() })
}

/** Makes this process the owner of the folder. False when a living process, even this one, already owns it. Takes 5 s after a crash elsewhere. */
export const claim = async (folder: string): Promise<boolean> => {
  const file = ownerFile(folder)
  const started = await startTime(process.pid)
  const text = JSON.stringify({
    pid: process.pid,
    started,
    place: await place(),
    claim: randomBytes(8).toString("hex")
  })
  for (;;) {
    if (await make(file, text)) {
      keep(file, text)
      return true
    }
    const other = await read(file)
    if (other === undefined) continue
    if (await lives(file, other)) return false
    await clear(file, other)
  }
}

/** Gives the folder up. */
export const release = async (folder: string): Promise<void> => {
  const file = ownerFile(folder)
  const mine = claims.get(file)
  if (mine === undefined) return
  clearInterval(mine.beat)
  claims.delete(file)
  // A process that was frozen for long may have lost the folder.
  if ((await read(file)) === mine.text) await rm(file, { force: true })
}

export class FolderTaken extends Schema.TaggedError<FolderTaken>()("FolderTaken", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** Claims the folder, creating it if needed, for as long as the layer lives. Fails with FolderTaken when another process owns it. */
export const layer = (folder: string): Layer.Layer<never, FolderTaken> =>
  Layer.effectDiscard(
    Effect.acquireRelease(
      Effect.tryPromise({
        try: () => mkdir(folder, { recursive: true }).then(() => claim(folder)),
        catch: (cause) => new FolderTaken({ message: `The folder ${folder} cannot be used: ${cause}`, cause })
      }).pipe(
        Effect.filterOrFail(
          (ours) => ours,
          () =>
            new FolderTaken({
              message: `Another process is at work in ${folder}. Each process that takes calls needs a DATA_DIR of its own.`
            })
        )
      ),
      () =>
        Effect.tryPromise(() => release(folder)).pipe(
          Effect.catch((error) => Effect.logWarning("a folder could not be given up", { folder }, error))
        )
    )
  )
