/** Slack: a team chat. The operator's app is installed into a workspace; its events come to one address, or over sockets. */
import { Effect, Schema } from "effect"
import type { AppAdapter } from "../../domain/apps/AppAdapter.ts"
import type { AppClient } from "../../domain/apps/adapters/TokenEndpoint.ts"
import { makeSlackAuthorization } from "./SlackAuthorization.ts"
import { makeHearSlack, readSlackEvent } from "./SlackEvents.ts"
import { makeSlackReading } from "./SlackReading.ts"
import { makeAskSlack } from "./SlackRequests.ts"
import { makeSlackWriting } from "./SlackWriting.ts"

export interface SlackOptions {
  /** `https://slack.com`. */
  readonly baseUrl: string
  /** The operator's app; absent: Slack cannot be connected. */
  readonly client?: AppClient
  /** With which events are signed; absent: they come over a socket, and none is taken over HTTPS. */
  readonly signingSecret?: string
}

const Account = Schema.Struct({ team_id: Schema.String, team: Schema.String })

export const make = ({ baseUrl, client, signingSecret }: SlackOptions): AppAdapter => {
  const ask = makeAskSlack(baseUrl)
  const { read } = makeSlackReading(ask)
  return {
    ...(client === undefined
      ? {}
      : {
          oauth: makeSlackAuthorization(baseUrl, client),
          chat: { ...makeSlackWriting(baseUrl, ask), hear: makeHearSlack(signingSecret), read: readSlackEvent }
        }),
    // Slack's limits are by method; this one only keeps a connection from being in everybody's way.
    rate: { requests: 20, windowMs: 1_000 },
    atOnce: 4,
    problem: () =>
      client === undefined
        ? "The operator of this service has no app of Slack."
        : "Slack is connected by agreeing there: open /api/integrations/slack/connect.",
    identify: (session) =>
      Effect.map(ask(session, "auth.test", {}, Account), ({ team_id: id, team: name }) => ({ id, name })),
    inbound: { verify: () => Effect.succeed({ arrivals: [] }), read }
  }
}
