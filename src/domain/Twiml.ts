/** The call instructions answered to the telephony provider. Every value is escaped; nothing here is a template. */

type Attributes = Readonly<Record<string, string | undefined>>

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;"
}

/** Can XML 1.0 write it? Control characters (but tab and line ends), lone surrogates and U+FFFE/F cannot be written. */
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

/** `children` are elements already built, or one escaped text. */
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

/** Says one sentence and hangs up. `language` is BCP 47. */
export const sayAndHangUp = (sentence: string, language?: string): string =>
  document(element("Say", { language }, [escapeXml(sentence)]), element("Hangup", {}))

/** Refuses the call without answering it. */
export const reject = (reason: "busy" | "rejected"): string => document(element("Reject", { reason }))

/** Rings a number (E.164) or a `sip:` address; `action` is asked for instructions afterwards. */
export const dial = (
  destination: string,
  options: { readonly callerId?: string; readonly timeoutSeconds?: number; readonly action?: string } = {}
): string =>
  document(
    element(
      "Dial",
      { callerId: options.callerId, timeout: options.timeoutSeconds?.toString(), action: options.action },
      [element(/^sips?:/i.test(destination) ? "Sip" : "Number", {}, [escapeXml(destination)])]
    )
  )

/** Puts the caller into a named waiting line. */
export const enqueue = (queue: string, options: { readonly waitUrl?: string; readonly action?: string } = {}): string =>
  document(element("Enqueue", { waitUrl: options.waitUrl, action: options.action }, [escapeXml(queue)]))

export const hangUp = (): string => document(element("Hangup", {}))
