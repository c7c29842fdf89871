/** The tokens of the simulated HubSpot. Refresh tokens rotate. */
import { OAuthTokens } from "../support/OAuthTokens.ts"

export const hubSpotClient = { id: "client-of-parley", secret: "secret-of-the-client" }

export const makeHubSpotTokens = () =>
  new OAuthTokens({
    client: hubSpotClient,
    rotates: true,
    lifetimeSeconds: 1_800,
    beside: ({ lifetimeSeconds }) => ({ expires_in: lifetimeSeconds, token_type: "bearer" })
  })
