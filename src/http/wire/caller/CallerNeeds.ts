/**
 * What a route needs of its caller. A scope is read from the description of the route, which names it for people; a plan and a role are annotations.
 * `Authorization` refuses with them before it reads a body, so who may not ask is told so, whatever the request says.
 */
import { Context, Option, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { Scope } from "../../../domain/people/access/Access.ts"
import { type Organization, type PlanFeature, planRefusal } from "../../../domain/people/organizations/Organization.ts"

/** The sentence that says why an organization may not use a route; `undefined` when it may. */
export type PlanRefusal = (organization: Organization) => string | undefined

interface PlanNeed {
  readonly refusal: PlanRefusal
  /** What can be asked on every plan, by the body's JSON: to stop using what the plan does not have. */
  readonly onEveryPlan?: (body: unknown) => boolean
}

/** Why the plan of the caller's organization does not have the route. */
const PlanNeed = Context.Reference<PlanNeed | undefined>("parley/http/PlanNeed", { defaultValue: () => undefined })

/** What people with the role AGENT may not do here, as the end of a sentence. */
const LeadersNeed = Context.Reference<string | undefined>("parley/http/LeadersNeed", {
  defaultValue: () => undefined
})

/** The annotation of endpoints with a body that only some plans have. The use case behind it checks the plan too, since others use it as well. */
export const needsPlan = (refusal: PlanRefusal, onEveryPlan?: PlanNeed["onEveryPlan"]) =>
  Context.make(PlanNeed, onEveryPlan === undefined ? { refusal } : { refusal, onEveryPlan })

/** The same for a feature of the table of plans. */
export const needsFeature = (feature: PlanFeature, onEveryPlan?: PlanNeed["onEveryPlan"]) =>
  needsPlan((organization) => planRefusal(feature, organization), onEveryPlan)

/** Whether a body has this field with this value, and nothing else. */
export const isOnly = (field: string, value: boolean | null) => (body: unknown) =>
  typeof body === "object" && body !== null && Object.keys(body).length === 1 && Reflect.get(body, field) === value

/** The annotation of endpoints that, of people, only OWNERs and ADMINs may use. `what`: e.g. `send broadcasts`. */
export const ofLeaders = (what: string) => Context.make(LeadersNeed, what)

const named = /\b(?:[Ss]cope|of a module) `([a-z]+(?::[a-z]+)?)`/g
const isScope = Schema.is(Scope)

/** The scopes that a description names: any one of them opens the route. None: every key and session may ask. */
export const scopesNamed = (description: string): ReadonlyArray<Scope> =>
  [...description.matchAll(named)].map(([, scope]) => scope).filter(isScope)

export interface CallerNeeds {
  readonly scopes: ReadonlyArray<Scope>
  readonly plan: PlanNeed | undefined
  readonly leaders: string | undefined
}

interface Endpoint {
  readonly annotations: Context.Context<never>
}

const made = new WeakMap<Endpoint, CallerNeeds>()

/** What an endpoint needs, which is read when it is first asked. */
export const needsOf = (endpoint: Endpoint): CallerNeeds => {
  const known = made.get(endpoint)
  if (known !== undefined) return known
  const { annotations } = endpoint
  const needs = {
    scopes: scopesNamed(Option.getOrElse(Context.getOption(annotations, OpenApi.Description), () => "")),
    plan: Context.get(annotations, PlanNeed),
    leaders: Context.get(annotations, LeadersNeed)
  }
  made.set(endpoint, needs)
  return needs
}
