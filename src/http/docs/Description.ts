/** The descriptions of the interface (OpenAPI 3.1): what each adds to what the library makes of the declared routes. */

import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { generalRules, withCommon } from "./CommonDocs.ts"
import { eventSchemas, withWebhooks } from "./EventDocs.ts"
import { withExamples } from "./ExampleDocs.ts"
import { operatorRules, withOperations } from "./OperatorDocs.ts"
import { withNamedSchemas, withTrueSchemas } from "./SchemaDocs.ts"
import { withChapters } from "./Tags.ts"

type Given = Parameters<typeof withCommon>[0] & Parameters<typeof withChapters>[0]

const license = { name: "All rights reserved", identifier: "LicenseRef-Parley" }
const both = { version: "0.1.0", license, servers: [{ url: "/" }] }

/** The annotations of an interface that customers use. */
export const forCustomers = Context.merge(
  OpenApi.annotations({
    ...both,
    title: "Parley",
    description: generalRules,
    transform: (document) =>
      withExamples(
        withWebhooks(withTrueSchemas(withChapters(withCommon(withNamedSchemas(document as unknown as Given)))))
      )
  }),
  Context.make(HttpApi.AdditionalSchemas, eventSchemas)
)

/** The annotations of an interface that the engine, providers and operators use. */
export const forOperators = OpenApi.annotations({
  ...both,
  title: "Parley for operators",
  description: operatorRules,
  transform: (document) =>
    withExamples(
      withOperations(withTrueSchemas(withChapters(withCommon(withNamedSchemas(document as unknown as Given)))))
    )
})
