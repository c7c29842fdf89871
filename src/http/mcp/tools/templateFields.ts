/** The fields of a template message as models fill them, and as the channel takes them. */
import { Effect } from "effect"
import { z } from "zod"
import { Templates } from "../../../domain/messaging/templates/Templates.ts"
import * as arg from "../protocol/arg.ts"

export const templateFields = {
  templateName: arg.text(512, "The name of an APPROVED template of list_templates."),
  language: arg.text(20, "The template's language as list_templates spells it, e.g. en_US."),
  bodyParameters: z
    .array(z.string().max(1_024))
    .max(50)
    .optional()
    .describe("The texts for the placeholders of the body, in their order. list_templates says how many there are."),
  headerParameter: arg.text(1_024, "The text for the placeholder of the header, when it has one.").optional()
}

interface Filled {
  readonly templateName: string
  readonly language: string
  readonly bodyParameters?: ReadonlyArray<string> | undefined
  readonly headerParameter?: string | undefined
}

/** Needs Templates. The function it gives makes the components; templates with named placeholders get their names. */
export const makeTemplateComponents = Effect.map(Templates, (templates) =>
  Effect.fnUntraced(function* (organizationId: string, filled: Filled) {
    const { templateName, language, bodyParameters = [], headerParameter } = filled
    const { templates: known } = yield* templates.named(organizationId, templateName)
    const slots = known.find((template) => template.language === language)?.parameters ?? []
    const component = (type: "header" | "body", texts: ReadonlyArray<string>) => {
      if (texts.length === 0) return []
      const names = slots.find((slot) => slot.type === type)?.names ?? null
      const parameters = texts.map((text, at) =>
        names?.[at] === undefined ? { type: "text", text } : { type: "text", parameter_name: names[at], text }
      )
      return [{ type, parameters }]
    }
    return [
      ...component("header", headerParameter === undefined ? [] : [headerParameter]),
      ...component("body", bodyParameters)
    ]
  })
)
