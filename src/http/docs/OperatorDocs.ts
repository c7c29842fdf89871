/** The parts of `/openapi-operators.json` that are not declared as routes of an interface: signatures, and the routes for operators themselves. */

export const operatorRules = `What the parts of the service say to each other, what providers say to it, and what whoever runs it asks. Customers need none of this: their interface is \`/openapi.json\`.

The engine and the app sign their requests with the secret that they share. The telephony provider and the messaging channel sign theirs; a wrong signature is 403.

Operators run the installation. They sign in at \`/api/operator/session\`, which sets the cookie \`parley_operator\`; everything but \`GET\` then needs the session's \`csrfToken\` in the header \`X-CSRF-Token\`. Keys and sessions of organizations open nothing there.`

const signed = (name: string, description: string) => ({ type: "apiKey", in: "header", name, description })

const securitySchemes = {
  engineSignature: signed("X-Engine-Signature", "`t=<Unix seconds>,v1=<HMAC-SHA256 of time, method, path and body>`"),
  telephonySignature: signed("X-Twilio-Signature", "As the telephony provider defines it"),
  channelSignature: signed("X-Hub-Signature-256", "`sha256=<HMAC-SHA256 of the body>`, with the app secret")
}

/** How the requests of a chapter are signed. */
const signatures: Readonly<Record<string, keyof typeof securitySchemes>> = {
  callbacks: "engineSignature",
  engine: "engineSignature",
  telephony: "telephonySignature",
  messagingWebhooks: "channelSignature"
}

const json = (description: string, schema: object, example: unknown) => ({
  description,
  content: { "application/json": { schema: { ...schema, examples: [example] } } }
})
const flags = { type: "object", additionalProperties: { type: "boolean" } }

const operations = {
  "/healthz": {
    get: {
      operationId: "operations.health",
      tags: ["operations"],
      summary: "Whether the process is alive",
      security: [],
      responses: {
        200: json(
          "It is alive",
          { type: "object", required: ["status"], properties: { status: { type: "string", enum: ["ok"] } } },
          { status: "ok" }
        ),
        400: { $ref: "#/components/responses/BadRequest" }
      }
    }
  },
  "/readyz": {
    get: {
      operationId: "operations.readiness",
      tags: ["operations"],
      summary: "Whether the process can take calls and requests",
      description: "500 says what is missing: the database, Redis, the engine, or that the process is draining.",
      security: [],
      responses: {
        200: json(
          "It can",
          {
            type: "object",
            required: ["status", "checks"],
            properties: {
              status: { type: "string", enum: ["ready"] },
              checks: flags,
              workers: { description: "Of a process with several workers: each worker's state" }
            }
          },
          { status: "ready", checks: { database: true, coordination: true, engine: true } }
        ),
        400: { $ref: "#/components/responses/BadRequest" },
        500: { $ref: "#/components/responses/ServerError" }
      }
    }
  },
  "/metrics": {
    get: {
      operationId: "operations.metrics",
      tags: ["operations"],
      summary: "The metrics of the process",
      description: "Prometheus' text format, on the internal port only.",
      security: [],
      responses: {
        200: {
          description: "The metrics",
          content: {
            "text/plain": { schema: { type: "string", examples: ["# TYPE parley_calls gauge\nparley_calls 3\n"] } }
          }
        },
        400: { $ref: "#/components/responses/BadRequest" }
      }
    }
  }
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly tags?: ReadonlyArray<string>; readonly security?: ReadonlyArray<object> }>>
    >
  >
  readonly tags?: ReadonlyArray<{ readonly name: string }>
  readonly components?: { readonly securitySchemes?: object; readonly schemas?: object }
}

/** Adds the routes for operators, and how the other requests are signed. The GET of a provider is not signed. */
export const withOperations = <Given extends Document>(document: Given) => ({
  ...document,
  tags: [
    ...(document.tags ?? []),
    { name: "operations", description: "Whether a process is alive and ready, and its metrics." }
  ],
  paths: {
    ...Object.fromEntries(
      Object.entries(document.paths).map(([path, item]) => [
        path,
        Object.fromEntries(
          Object.entries(item).map(([method, operation]) => {
            const signature = signatures[operation.tags?.[0] ?? ""]
            const signed = signature === undefined || method === "get" ? [] : [{ [signature]: [] }]
            const security = signature === undefined ? (operation.security ?? []) : signed
            return [method, { ...operation, security }]
          })
        )
      ])
    ),
    ...operations
  },
  components: {
    ...document.components,
    securitySchemes: { ...document.components?.securitySchemes, ...securitySchemes }
  }
})
