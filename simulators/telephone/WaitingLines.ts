/** The provider's waiting lines (`<Enqueue>`): one per account and name, made when first used, kept in order of arrival. */
import { randomBytes } from "node:crypto"

/** The provider's default limit of a line. */
const longest = 100

export interface WaitingLine {
  readonly queueSid: string
  /** Call ids in order of arrival. */
  readonly members: Array<string>
}

export class WaitingLines {
  readonly #lines = new Map<string, WaitingLine>()

  /** Joins the line; `undefined` when it is full. */
  join(accountSid: string, name: string, callSid: string): WaitingLine | undefined {
    const key = `${accountSid}/${name}`
    const line = this.#lines.get(key) ?? { queueSid: `QU${randomBytes(16).toString("hex")}`, members: [] }
    this.#lines.set(key, line)
    if (line.members.length >= longest) return undefined
    line.members.push(callSid)
    return line
  }

  leave(line: WaitingLine, callSid: string): void {
    const at = line.members.indexOf(callSid)
    if (at >= 0) line.members.splice(at, 1)
  }
}
