/**
 * What a person has chosen for the dashboard. It is kept here, and not in the browser alone, so that another device begins the same. The server gives
 * `preferences` no meaning.
 */
import { Context, type Effect, Schema } from "effect"
import { JsonRecord } from "../../basics/Json.ts"

/** A language tag (BCP 47), such as `en` or `hi-IN`. */
export const Locale = Schema.String.check(
  Schema.isMaxLength(35),
  Schema.makeFilter((text: string) => isLocale(text) || "must be a language tag such as en or hi-IN.")
)

const isLocale = (text: string): boolean => {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch (cause) {
    if (cause instanceof RangeError) return false
    throw cause
  }
}

/** The most bytes of the preferences of a person, as JSON. */
export const mostPreferences = 16 * 1024

export interface PersonalSettings {
  /** Null: not chosen, so that of the browser. */
  readonly locale: string | null
  readonly preferences: typeof JsonRecord.Type
}

/** Preferences that are given replace those of the same name; null removes one. */
export const PersonalChanges = Schema.Struct({
  locale: Schema.optionalKey(Schema.NullOr(Locale)),
  preferences: Schema.optionalKey(JsonRecord)
}).annotate({
  title: "PersonalChanges",
  examples: [{ locale: "en", preferences: { theme: "dark", density: "compact" } }]
})
export type PersonalChanges = typeof PersonalChanges.Type

/** 400: with these changes the preferences would be larger than `mostPreferences`. */
export class TooManyPreferences extends Schema.TaggedError<TooManyPreferences>()("TooManyPreferences", {}) {}

/** Port of what people have chosen. */
export class PersonalSettingsStore extends Context.Service<
  PersonalSettingsStore,
  {
    /** The settings of a person, with the time zone of the organization. `undefined`: there is no such person. */
    readonly find: (
      organizationId: string,
      userId: string
    ) => Effect.Effect<(PersonalSettings & { readonly timeZone: string }) | undefined>
    readonly change: (
      organizationId: string,
      userId: string,
      changes: PersonalChanges
    ) => Effect.Effect<void, TooManyPreferences>
  }
>()("parley/domain/PersonalSettingsStore") {}
