/** The providers of a crowd in a process of their own, so that their processor time is not the engine's. Tells its port, and what it saw when it is asked. */
import { makeClips } from "../crowd/Clips.ts"
import { Outages } from "../crowd/Outages.ts"
import { startProviders } from "../crowd/Providers.ts"
import { Stamps } from "../crowd/Stamps.ts"
import { Tally } from "../crowd/Tally.ts"

/** What the process says to the one that started it. */
export type ProvidersMessage =
  | { readonly url: string }
  | { readonly contentErrors: number; readonly notes: ReadonlyArray<string> }

const tally = new Tally()
const { url } = await startProviders(await makeClips(), tally, new Stamps(), new Outages(), 0, "tokens")
const say = (message: ProvidersMessage) => process.send?.(message)
process.on("message", () => say({ contentErrors: tally.contentErrors, notes: tally.notes }))
process.on("disconnect", () => process.exit(0))
say({ url })
