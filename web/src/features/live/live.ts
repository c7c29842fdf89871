/** The order and the words of running calls. Pure; `test/web/live.test.ts`. */
import type { LiveCall } from "@parley/client"
import type { CallUpdated, CallWords } from "../../api/callEvent.ts"

/** Silence of so long, and thinking of so long, wants somebody. */
const quietMs = 12_000
const slowMs = 6_000

/** Whether a person should look at the call: somebody waits for a human, or nothing has happened for too long. */
export const needsMe = ({ state, since }: Pick<LiveCall, "state" | "since">, now: number): boolean => {
  const lastsMs = now - Date.parse(since)
  if (state === "waiting") return true
  if (state === "silence") return lastsMs >= quietMs
  return (state === "thinking" || state === "tool") && lastsMs >= slowMs
}

/** Whether a person of the organization has taken the call over, and not the telephone of a human. */
export const isWithPerson = ({ state, transfer }: Pick<LiveCall, "state" | "transfer">): boolean =>
  state === "human" && transfer?.outcome !== "dialing"

/** Those that need somebody first, the longest waiting first; then the newest. */
export const ordered = (calls: ReadonlyArray<LiveCall>, now: number): ReadonlyArray<LiveCall> => {
  const began = ({ startedAt, createdAt }: LiveCall) => startedAt ?? createdAt
  const needing = calls.filter((call) => needsMe(call, now)).toSorted((a, b) => (a.since < b.since ? -1 : 1))
  const others = calls.filter((call) => !needsMe(call, now)).toSorted((a, b) => (began(a) > began(b) ? -1 : 1))
  return [...needing, ...others]
}

/**
 * The calls after something else goes on in one of them; undefined when the list has to be read again: the call is not in it. What was told before the
 * list was read changes nothing, and neither does what an agent does while the caller waits for a human or talks with one.
 */
export const afterUpdate = (
  calls: ReadonlyArray<LiveCall>,
  { data: { call } }: CallUpdated
): ReadonlyArray<LiveCall> | undefined => {
  const known = calls.find(({ id }) => id === call.id)
  if (call.state === "over") return known === undefined ? calls : calls.filter(({ id }) => id !== call.id)
  if (known === undefined) return undefined
  const { state, since } = call
  if (known.since > since) return calls
  return calls.map((one) => (one === known ? { ...one, status: "in_progress", state, since } : one))
}

/** The calls with what was said last in one of them. */
export const withWords = (
  calls: ReadonlyArray<LiveCall>,
  { data: { call, role, text, startMs } }: CallWords
): ReadonlyArray<LiveCall> =>
  calls.map((one) => {
    if (one.id !== call.id) return one
    const words = { id: `${call.id} ${startMs}`, sequence: 0, role, text, interrupted: false, startMs, endMs: startMs }
    return { ...one, lastWords: [...one.lastWords, words].slice(-3) }
  })
