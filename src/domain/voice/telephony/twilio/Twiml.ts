/** Builds the call instructions for the telephony provider (TwiML). Every value is escaped. */

type Attributes = Readonly<Record<string, string | undefined>>

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;"
}

/** Whether XML 1.0 allows the character. It forbids control characters (except tab and line ends), lone surrogates and U+FFFE/F. */
const writable = (char: string): boolean => {
  const code = char.codePointAt(0) ?? 0
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d
  return code < 0xd800 || (code > 0xdfff && code !== 0xfffe && code !== 0xffff)
}

const escapeXml = (text: string): string =>
  Array.from(text)
    .filter(writable)
    .map((char) => entities[char] ?? char)
    .join("")

/** One XML element. `children` are finished elements, or one escaped text. */
const element = (name: string, attributes: Attributes, children: ReadonlyArray<string> = []): string => {
  const written = Object.entries(attributes)
    .flatMap(([key, value]) => (value === undefined ? [] : [` ${key}="${escapeXml(value)}"`]))
    .join("")
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join("")}</${name}>`
}

const document = (...verbs: ReadonlyArray<string>): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${element("Response", {}, verbs)}`

/** Connects the call to a media stream; when the stream ends, the provider asks `action` what to do next. */
export const connectStream = (options: {
  readonly action: string
  /** `wss`, without a query: the provider refuses one. */
  readonly url: string
  readonly parameters: Readonly<Record<string, string>>
}): string =>
  document(
    element("Connect", { action: options.action, method: "POST" }, [
      element(
        "Stream",
        { url: options.url },
        Object.entries(options.parameters).map(([name, value]) => element("Parameter", { name, value }))
      )
    ])
  )

const say = (sentence: string, language?: string): string => element("Say", { language }, [escapeXml(sentence)])

/** Says one sentence and hangs up. `language` is BCP 47. */
export const sayAndHangUp = (sentence: string, language?: string): string =>
  document(say(sentence, language), element("Hangup", {}))

/** A sentence for the caller: audio at a URL, or without one, text for the provider's own voice. */
export interface HeardLine {
  readonly sentence: string
  /** BCP 47. */
  readonly language: string
  readonly audioUrl?: string
}

const heard = ({ sentence, language, audioUrl }: HeardLine): string =>
  audioUrl === undefined ? say(sentence, language) : element("Play", {}, [escapeXml(audioUrl)])

/**
 * Says the lines, plays a tone, and records the caller until `#`, 5 s of silence, or `maxSeconds`. The provider asks `action` when the
 * recording ends, and tells `recorded` when the file is ready. The call ends if the caller says nothing.
 */
export const recordVoicemail = (options: {
  readonly lines: ReadonlyArray<HeardLine>
  readonly maxSeconds: number
  readonly action: string
  readonly recorded: string
}): string =>
  document(
    ...options.lines.map(heard),
    element("Record", {
      action: options.action,
      method: "POST",
      maxLength: options.maxSeconds.toString(),
      timeout: "5",
      finishOnKey: "#",
      playBeep: "true",
      recordingStatusCallback: options.recorded,
      recordingStatusCallbackMethod: "POST",
      recordingStatusCallbackEvent: "completed absent"
    }),
    element("Hangup", {})
  )

/** Refuses the call without answering it. */
export const reject = (reason: "busy" | "rejected"): string => document(element("Reject", { reason }))

/** Rings a number (E.164) or a `sip:` address; `action` is asked for instructions afterwards. */
export const dial = (
  destination: string,
  options: {
    readonly callerId?: string
    readonly timeoutSeconds?: number
    readonly timeLimitSeconds?: number
    readonly action?: string
  } = {}
): string =>
  document(
    element(
      "Dial",
      {
        callerId: options.callerId,
        timeout: options.timeoutSeconds?.toString(),
        timeLimit: options.timeLimitSeconds?.toString(),
        action: options.action
      },
      [element(/^sips?:/i.test(destination) ? "Sip" : "Number", {}, [escapeXml(destination)])]
    )
  )

/** Puts the caller into a named waiting line. `waitUrl` says what the caller hears there; `action` is asked when the call leaves it. */
export const enqueue = (queue: string, options: { readonly waitUrl?: string; readonly action?: string } = {}): string =>
  document(element("Enqueue", { waitUrl: options.waitUrl, action: options.action }, [escapeXml(queue)]))

/** What a caller hears in a waiting line: a sentence and a pause. Then the provider asks `again` for the next such document. */
export const waitInLine = (options: {
  readonly sentence: string
  readonly language?: string
  readonly pauseSeconds: number
  readonly again: string
}): string =>
  document(
    say(options.sentence, options.language),
    element("Pause", { length: options.pauseSeconds.toString() }),
    element("Redirect", { method: "POST" }, [escapeXml(options.again)])
  )

/** Takes the call out of its waiting line: the `action` of the `<Enqueue>` is asked what to do next. */
export const leaveLine = (): string => document(element("Leave", {}))

/** An empty document: the provider does nothing. */
export const nothing = (): string => document()

export const hangUp = (): string => document(element("Hangup", {}))
