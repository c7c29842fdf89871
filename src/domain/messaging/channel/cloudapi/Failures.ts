/** What the Cloud API's error codes mean for people, and whether the channel may accept the same message later. Pure. */

export interface ChannelFailure {
  /** The channel's error code. */
  readonly code: string
  /** A sentence: what is wrong, and what can be done. */
  readonly reason: string
  /** Whether the channel may accept the message when it is handed over again. */
  readonly passing: boolean
  /** How long to wait before that, when the code says so; milliseconds. */
  readonly retryAfterMs?: number
}

interface Meaning {
  readonly reason: string
  readonly passing?: true
  readonly retryAfterMs?: number
  /** The channel's details name the field or the file, so they follow the sentence. */
  readonly detailed?: true
}

const token: Meaning = {
  reason:
    "The channel does not accept the connection's access token any more: an OWNER or ADMIN has to connect the channel again."
}
const permission: Meaning = {
  reason: "The connection's access token lacks a permission: it needs whatsapp_business_messaging for this number."
}
const busy: Meaning = { reason: "The channel is busy; it may take the message later.", passing: true }
const throttled: Meaning = {
  reason: "The channel takes fewer messages a second than were sent.",
  passing: true,
  retryAfterMs: 2_000
}
const parameter: Meaning = { reason: "The channel does not take a field of this message.", detailed: true }
const templateParameters: Meaning = {
  reason: "The values do not fit the template: their number or their form differs from what the template has.",
  detailed: true
}

const meanings: Readonly<Record<number, Meaning>> = {
  0: token,
  190: token,
  3: permission,
  10: permission,
  131005: permission,
  1: busy,
  2: busy,
  131000: busy,
  131016: busy,
  131057: { ...busy, retryAfterMs: 60_000 },
  4: { ...throttled, retryAfterMs: 60_000 },
  80007: { ...throttled, retryAfterMs: 60_000 },
  130429: throttled,
  131056: {
    reason: "Too many messages went to this person in a short time.",
    passing: true,
    retryAfterMs: 6_000
  },
  131048: {
    reason: "The channel holds back messages of this number, because people blocked or reported it."
  },
  131049: {
    reason:
      "The channel did not deliver this marketing message, because the person gets many of them. Try again in a day at the earliest."
  },
  130472: {
    reason: "The channel did not deliver this marketing message: the person is part of an experiment of the channel."
  },
  131047: {
    reason: "The person last wrote more than 24 hours ago, so only a template message may be sent."
  },
  131026: {
    reason:
      "The message cannot be delivered: the number does not use the channel, has blocked it, or has an app that is too old."
  },
  131021: { reason: "The message was addressed to the number it is sent from." },
  131050: { reason: "The person has asked not to get marketing messages." },
  100: parameter,
  131008: parameter,
  131009: parameter,
  131051: { reason: "The channel does not take this kind of message.", detailed: true },
  131052: { reason: "The channel could not fetch the file from its address.", detailed: true },
  131053: { reason: "The channel did not take the file.", detailed: true },
  131062: {
    reason: "This message cannot be sent to somebody whose number is not known: authentication templates need a number."
  },
  132000: templateParameters,
  132012: templateParameters,
  132018: templateParameters,
  132001: { reason: "There is no approved template of this name in this language." },
  132005: { reason: "The template's text is too long with these values." },
  132007: { reason: "The template breaks a policy of the channel." },
  132015: { reason: "The template is paused, because people blocked or reported it." },
  132016: { reason: "The template is disabled, because it was paused too often." },
  131031: { reason: "The business account is locked by the channel." },
  368: { reason: "The business account is blocked for a time, because of its policies." },
  131042: { reason: "The business account has a problem with its payment at the channel." },
  133010: { reason: "The number is not registered at the channel." },
  131037: { reason: "The number needs an approved display name at the channel before it may send." },
  131045: { reason: "The number is not registered at the channel with a valid certificate." }
}

const meaningOf = (code: number): Meaning | undefined =>
  meanings[code] ?? (code >= 200 && code <= 299 ? permission : undefined)

const sentence = (text: string): string => {
  const trimmed = text.replace(/\s+/g, " ").trim().slice(0, 300)
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

/** The failure for an error code. `said` is the channel's own text; it is shown when the code is not known here, or when it names what is wrong. */
export const failureOf = (code: number, said: string): ChannelFailure => {
  const meaning = meaningOf(code)
  if (meaning === undefined)
    return {
      code: String(code),
      reason: said === "" ? "The channel refused the message." : `The channel refused the message: ${sentence(said)}`,
      passing: false
    }
  const { reason, passing = false, retryAfterMs, detailed } = meaning
  return {
    code: String(code),
    reason: detailed === true && said !== "" ? `${reason} It says: ${sentence(said)}` : reason,
    passing,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs })
  }
}

/** The codes that have a sentence here; for tests and documentation. */
export const knownCodes: ReadonlyArray<number> = Object.keys(meanings).map(Number)
