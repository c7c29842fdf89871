/** Asks whether an organization's plan has a feature, before anything is done with it. */
import { Context, Effect } from "effect"
import { type Organization, Organizations, type PlanFeature, planRefusal } from "./Organization.ts"

/** The organization of the caller, when it was read to admit the current request. */
export const AdmittedOrganization = Context.Reference<Organization | undefined>("parley/domain/AdmittedOrganization", {
  defaultValue: () => undefined
})

/** Needs Organizations once. Reads an organization, unless it was read to admit the request: then it is a moment old. */
export const makeOrganizationOf = Effect.map(
  Organizations,
  (organizations) => (organizationId: string) =>
    Effect.flatMap(AdmittedOrganization, (admitted) =>
      admitted?.id === organizationId ? Effect.succeed(admitted) : organizations.find(organizationId)
    )
)

/** Needs Organizations once. Gives the sentence that says why the organization may not use the feature; `undefined` when it may. */
export const makePlanRefusal = Effect.map(
  makeOrganizationOf,
  (organizationOf) => (organizationId: string, feature: PlanFeature) =>
    Effect.map(organizationOf(organizationId), (organization) =>
      organization === undefined ? "This organization no longer exists." : planRefusal(feature, organization)
    )
)
