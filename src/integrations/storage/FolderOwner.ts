/**
 * Who works in a folder: one process at a time. The claim is a file that a crash leaves behind, so it counts only while its process lives. Whether
 * one lives that runs here (the same boot of the kernel, the same process namespace) can be asked; process ids are reused, in containers nearly
 * always, so the start time must be the same too (Linux). One that runs elsewhere (in another container, on another host that has the folder over
 * the network) cannot be asked: it touches its file every second, and lives as long as it does that.
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
/** So many beats have to be missed: the event loop of a process may be busy for a while. */
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

/** Where process ids mean the same processes. */
const place = async (): Promise<string> => {
  const [boot, namespace] = await Promise.all([
    readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(absent),
    readlink("/proc/self/ns/pid").catch(absent)
  ])
  return boot === undefined || namespace === undefined ? hostname() : `${boot.trim()} ${namespace}`
}

const read = (file: string) => readFile(file, "utf8").catch(undefinedIf("ENOENT"))

/** Changes with every beat, and with the owner; undefined when there is none. */
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

/** False when there is a file already. */
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

/** Takes away the claim of a process that has ended. Another one may have done so and have claimed the folder in the meantime: that stays. */
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

/** Of this process, by file. */
const claims = new Map<string, Claim>()

const keep = (file: string, text: string): void => {
  const beat = setInterval(() => {
    const now = new Date()
    // One that fails (the disk is busy or gone) is followed by the next.
    utimes(file, now, now).catch(absent)
  }, beatMs)
  claims.set(file, { text, beat: beat.unref() })
}

/** Makes this process the owner of the folder; false when a living one (this one too) already is. Takes 5 s after a crash elsewhere. */
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
  // A process that was frozen for long may have lost it.
  if ((await read(file)) === mine.text) await rm(file, { force: true })
}

export class FolderTaken extends Schema.TaggedError<FolderTaken>()("FolderTaken", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** The folder (made when it is not there) is this process's as long as the layer lives; fails when it is somebody else's. */
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
