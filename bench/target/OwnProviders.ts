/** A target whose providers are the bench's: what callers hear and what the target adds is known to the frame. */
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { webhookParams } from "../../simulators/telephone/Webhook.ts"
import { makeClips } from "../crowd/Clips.ts"
import { Crowd, streamOf } from "../crowd/Crowd.ts"
import { newSid } from "../crowd/MediaStream.ts"
import { answerWithinMs } from "../crowd/Member.ts"
import { Outages } from "../crowd/Outages.ts"
import { startProviders } from "../crowd/Providers.ts"
import { SignedPosts } from "../crowd/SignedPosts.ts"
import { Stamps } from "../crowd/Stamps.ts"
import { type Heard, listen } from "../crowd/Step.ts"
import { Tally } from "../crowd/Tally.ts"
import { OptionsInvalid } from "../support/Options.ts"
import type { Account } from "./Target.ts"

/** Settings of a Parley whose providers are at `url`; any key will do. */
export const settingsFor = (url: string): ReadonlyArray<string> => [
  `SARVAM_BASE_URL=${url}`,
  `SARVAM_SPEECH_TO_TEXT_BASE_URL=${url}`,
  `DEEPGRAM_BASE_URL=${url}`,
  `ELEVENLABS_BASE_URL=${url}`,
  `REASONING_BASE_URL=${url}/v1`,
  `MODERATION_BASE_URL=${url}/v1`,
  `TWILIO_BASE_URL=${url}`,
  ...["SARVAM", "DEEPGRAM", "ELEVENLABS", "REASONING", "MODERATION"].map((name) => `${name}_API_KEY=bench`)
]

const patienceMs = 600_000
const settleMs = 5_000

/**
 * Resolves when the number is answered. An agent can only be made when its providers are there, so the target is set up after the bench has begun. Asks by
 * webhooks of calls that never connect.
 */
const answered = async ({ base, account }: Pick<KnownCalls, "base" | "account">): Promise<void> => {
  const { accountSid, authToken, calledNumber } = account
  const posts = new SignedPosts()
  try {
    for (const began = performance.now(); performance.now() - began < patienceMs; await sleep(5_000)) {
      const params = webhookParams(accountSid, newSid("CA"), { from: "+14152000000", to: calledNumber })
      const answer = await posts.post(`${base}/api/webhooks/telephony/voice`, authToken, params).catch(() => undefined)
      if (answer !== undefined && streamOf(answer.body) !== undefined) return
    }
  } finally {
    posts.close()
  }
  throw new OptionsInvalid(`${calledNumber} was not answered at ${base} within ${patienceMs / 60_000} minutes`)
}

export interface KnownCalls {
  readonly base: string
  readonly account: Account
  readonly calls: number
  readonly ramp: number
  readonly seconds: number
  readonly port: number
}

export interface KnownFindings {
  readonly heard: Heard
  /** Milliseconds, of each call. */
  readonly setup: ReadonlyArray<number>
  readonly webhook: ReadonlyArray<number>
}

/** Starts the providers, prints the settings that the target needs, waits until the number is answered, and listens. Lives as long as the scope. */
export const listenToKnown = Effect.fnUntraced(function* (known: KnownCalls, say: (text: string) => void) {
  const { base, account, calls, ramp, seconds, port } = known
  const [clips, tally, stamps] = [yield* Effect.promise(makeClips), new Tally(), new Stamps()]
  const providers = yield* Effect.acquireRelease(
    Effect.promise(() => startProviders(clips, tally, stamps, new Outages(), port)),
    ({ close }) => Effect.sync(close)
  )
  console.error(
    `Start the target with these settings and a new data folder, and let an agent answer the number:\n${settingsFor(providers.url).join("\n")}`
  )
  say(`waiting until ${account.calledNumber} is answered at ${base}`)
  yield* Effect.promise(() => answered(known))
  const company = { clips, tally, stamps, interruptEvery: 6, check: true, talks: true, patienceMs: answerWithinMs }
  const crowd = yield* Effect.acquireRelease(
    Effect.sync(() => new Crowd(base, [account], company)),
    (crowd) => Effect.sync(() => crowd.close())
  )
  return yield* Effect.promise(async (): Promise<KnownFindings> => {
    say(`${calls} calls`)
    await crowd.grow(calls, ramp)
    await sleep(settleMs)
    const { setup, webhook } = tally.times
    return { heard: await listen({ crowd, tally }, calls, seconds, say), setup, webhook }
  })
})
