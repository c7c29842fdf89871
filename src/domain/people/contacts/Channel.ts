/** The channels through which an organization and a contact talk. */
import { Schema } from "effect"

export const Channel = Schema.Literals(["messaging", "voice", "team_chat"])
export type Channel = typeof Channel.Type
