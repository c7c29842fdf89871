/** The rules of what a person enters to connect, beside its shape. Their sentences name the field. */
import type { AppSettings } from "../AppConnection.ts"
import type { AppField } from "../catalogue/CatalogueRow.ts"

export interface GivenConnection {
  readonly credentials?: Readonly<Record<string, string>>
  readonly settings?: AppSettings
}

interface Stored {
  readonly credentials: Readonly<Record<string, string>>
  readonly settings: AppSettings
}

const longestSecret = 4_096
const longestText = 2_000
const mostNames = 50
const nameForm = /^[\w.\- ]{1,100}$/

const isSecret = ({ type }: AppField) => type === "secret"
const originOf = (url: unknown) => (typeof url === "string" && URL.canParse(url) ? new URL(url).origin : undefined)

const unknownField = (
  of: "credentials" | "settings",
  names: ReadonlyArray<string>,
  fields: ReadonlyArray<AppField>
) => {
  const known = fields.map(({ name }) => name)
  const strange = names.find((name) => !known.includes(name))
  if (strange === undefined) return undefined
  const has = known.length === 0 ? "It has none." : `It has ${known.join(", ")}.`
  return `${of} is invalid: this integration has no ${JSON.stringify(strange.slice(0, 100))}. ${has}`
}

const settingProblem = ({ name, type }: AppField, value: AppSettings[string]): string | undefined => {
  const wrong = (what: string) => `settings.${name} is invalid: it must be ${what}.`
  if (type === "boolean") return typeof value === "boolean" ? undefined : wrong("true or false")
  if (type === "mapping") {
    if (typeof value !== "object") return wrong("an object of names")
    const names = Object.entries(value).flat()
    if (names.length > 2 * mostNames) return wrong(`an object of at most ${mostNames} names`)
    return names.every((one) => nameForm.test(one))
      ? undefined
      : wrong("an object of names of letters, digits, dots, hyphens and spaces")
  }
  if (typeof value !== "string" || value.length > longestText || /[\p{Cc}\p{Cs}]/u.test(value))
    return wrong(`one line of at most ${longestText} characters`)
  if (type !== "url") return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return wrong("an https address")
  return url.username === "" && url.password === "" ? undefined : wrong("an address without a user or password in it")
}

const secretProblem = (name: string, value: string): string | undefined => {
  if (value.startsWith("********")) return `credentials.${name} is masked: send the secret itself, or leave it out.`
  return value.length <= longestSecret && /^[\x21-\x7e]+$/.test(value)
    ? undefined
    : `credentials.${name} is invalid: it must have printable characters only, and no blanks.`
}

/**
 * The credentials and settings to store, or a sentence. Credentials that are left out keep their values, but only for the same addresses: a stored
 * secret is never sent to another host.
 */
export const completedConnection = (
  fields: ReadonlyArray<AppField>,
  given: GivenConnection,
  stored: Stored | undefined
): Stored | string => {
  const secrets = fields.filter(isSecret)
  const others = fields.filter((field) => !isSecret(field))
  const strange =
    unknownField("credentials", Object.keys(given.credentials ?? {}), secrets) ??
    unknownField("settings", Object.keys(given.settings ?? {}), others)
  if (strange !== undefined) return strange
  const settings = { ...(given.settings === undefined ? stored?.settings : given.settings) }
  for (const field of others) {
    const value = settings[field.name]
    if (value === undefined && field.required) return `settings.${field.name} is required.`
    const problem = value === undefined ? undefined : settingProblem(field, value)
    if (problem !== undefined) return problem
  }
  const moved = others.some(
    ({ name, type }) => type === "url" && originOf(stored?.settings[name]) !== originOf(settings[name])
  )
  // Tokens of an authorization do not mix with what is entered by hand.
  const replaced = given.credentials !== undefined && stored?.credentials.refreshToken !== undefined
  const credentials = { ...(moved || replaced ? {} : stored?.credentials), ...given.credentials }
  for (const { name, required } of secrets) {
    const value = credentials[name]
    if (value === undefined && required)
      return `credentials.${name} is required${moved && stored !== undefined ? ": the stored one belongs to another address" : ""}.`
    const problem = value === undefined ? undefined : secretProblem(name, value)
    if (problem !== undefined) return problem
  }
  return { credentials, settings }
}
