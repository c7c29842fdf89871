/** A message by a template whose body has one placeholder, a link; or two: what it is for, and the link. */
import { Effect } from "effect"
import { Templates } from "./Templates.ts"

export interface LinkTemplate {
  readonly name: string
  readonly language: string
}

/** Needs Templates once. `what` is what the link is for. */
export const makeLinkTemplate = Effect.map(Templates, (templates) =>
  Effect.fnUntraced(function* (organizationId: string, { name, language }: LinkTemplate, what: string, url: string) {
    const known = yield* templates.named(organizationId, name)
    const slots = known.templates.find((one) => one.language === language)?.parameters ?? []
    const body = slots.find(({ type }) => type === "body")
    const parameters = (body?.count === 2 ? [what, url] : [url]).map((text, at) => {
      const slot = body?.names?.[at]
      return { type: "text", text, ...(slot === undefined ? {} : { parameter_name: slot }) } as const
    })
    return { type: "template", templateName: name, language, components: [{ type: "body", parameters }] } as const
  })
)
