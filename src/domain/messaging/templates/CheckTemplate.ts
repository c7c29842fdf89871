/**
 * Checks before sending whether a message fits its template. The channel would accept the message and report the problem much later, as a code. This
 * check gives a sentence that says what to do.
 */
import { Predicate } from "effect"
import { type Fields, listOf, type TemplateSlot } from "./TemplateSlots.ts"
import { approved, type KnownTemplates, removed, type Template } from "./Templates.ts"

/** A template message. `components` have the channel's own form (`header`, `body`, `button` with `parameters`). */
export interface TemplateUse {
  readonly templateName: string
  readonly language: string
  readonly components?: unknown
}

const syncPath = "POST /api/messaging-api/templates/sync"

const statusProblem = ({ name, language, status, rejectedReason }: Template): string | undefined => {
  if (status === approved) return undefined
  const named = `The template ${name} (${language})`
  if (status === removed) return `${named} was removed at the channel; it cannot be sent any more.`
  const why = status === "REJECTED" && rejectedReason !== null ? `: ${rejectedReason}` : ""
  return `${named} cannot be sent: its status at the channel is ${status}${why}, and only APPROVED templates can be.`
}

/** The template that the message names, or the sentence that says why there is none. */
const chosen = ({ templates, synced }: KnownTemplates, { templateName, language }: TemplateUse): Template | string => {
  const found = templates.find((template) => template.language === language)
  if (found !== undefined) return found
  if (!synced) return `The templates of this organization are not synced yet: sync them first (${syncPath}).`
  const languages = templates.filter(({ status }) => status !== removed).map((template) => template.language)
  return languages.length === 0
    ? `There is no template named ${templateName}. If it is new at the channel, sync the templates first (${syncPath}).`
    : `The template ${templateName} does not exist in ${language}; it exists in ${languages.sort().join(", ")}.`
}

const typeOf = (component: Fields): string => String(component.type).toLowerCase()

const titleOf = ({ type, subType, index }: TemplateSlot): string =>
  type === "button" ? `the button ${index} (sub_type ${subType})` : `the ${type}`

/** Whether a component fills the slot. Button indexes come as texts or as numbers. */
const fills =
  ({ type, index }: TemplateSlot) =>
  (component: Fields): boolean =>
    typeOf(component) === type && (type !== "button" || Number(component.index) === index)

/** The parameter types for text in a body. The channel writes amounts and dates out as text. */
const textual = ["text", "currency", "date_time"]

const formatProblem = (slot: TemplateSlot, parameters: ReadonlyArray<unknown>): string | undefined => {
  const allowed = slot.format === "text" && slot.type === "body" ? textual : [slot.format]
  const wrong = parameters.find(
    (parameter) => !Predicate.isObject(parameter) || !allowed.includes(String(parameter.type))
  )
  return wrong === undefined
    ? undefined
    : `${titleOf(slot)} takes parameters of type ${slot.format}, not ${Predicate.isObject(wrong) ? String(wrong.type).slice(0, 40) : "that"}`
}

const namesProblem = (slot: TemplateSlot, parameters: ReadonlyArray<unknown>): string | undefined => {
  if (slot.names === null) return undefined
  const given = parameters.map((parameter) => (Predicate.isObject(parameter) ? parameter.parameter_name : undefined))
  const missing = slot.names.filter((name) => !given.includes(name))
  return missing.length === 0 ? undefined : `${titleOf(slot)} needs parameter_name ${missing.join(", ")}`
}

const plural = (count: number): string => `${count} parameter${count === 1 ? "" : "s"}`

const slotProblem = (slot: TemplateSlot, components: ReadonlyArray<Fields>): string | undefined => {
  const filling = components.filter(fills(slot))
  if (filling.length > 1) return `${titleOf(slot)} is given ${filling.length} times`
  const parameters = listOf(filling.at(0)?.parameters)
  if (parameters.length === 0 && !slot.required) return undefined
  if (parameters.length !== slot.count)
    return `${titleOf(slot)} needs ${plural(slot.count)}, and ${parameters.length} came`
  return formatProblem(slot, parameters) ?? namesProblem(slot, parameters)
}

/** Component types whose contents only the channel can check. */
const left = ["carousel", "limited_time_offer", "order_status"]

const strayProblem = (slots: ReadonlyArray<TemplateSlot>, component: Fields): string | undefined => {
  const type = typeOf(component)
  if (left.includes(type) || slots.some((slot) => fills(slot)(component))) return undefined
  if (!["header", "body", "button"].includes(type))
    return `components of type ${type.slice(0, 40)} are not known (header, body and button are)`
  if (listOf(component.parameters).length === 0) return undefined
  const what = type === "button" ? `button ${String(component.index).slice(0, 10)}` : type
  return `the ${what} of this template takes no parameters`
}

const componentsProblem = ({ parameters: slots }: Template, components: unknown): string | undefined => {
  if (components !== undefined && components !== null && !Array.isArray(components)) return "components must be a list"
  const given = listOf(components)
  if (!given.every(Predicate.isObject)) return "each of components must be an object"
  for (const slot of slots) {
    const problem = slotProblem(slot, given)
    if (problem !== undefined) return problem
  }
  return given.map((component) => strayProblem(slots, component)).find((problem) => problem !== undefined)
}

/** The sentence that says why the channel would not send this message; `undefined` when it fits the synced template. */
export const checkTemplate = (known: KnownTemplates, use: TemplateUse): string | undefined => {
  const template = chosen(known, use)
  if (typeof template === "string") return template
  const problem = statusProblem(template)
  if (problem !== undefined) return problem
  const wrong = componentsProblem(template, use.components)
  return wrong === undefined
    ? undefined
    : `The message does not fit the template ${template.name} (${template.language}): ${wrong}.`
}
