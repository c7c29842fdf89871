/** The addresses of the window in which a person connects an integration: where providers send their browser back to, and where Slack's consent begins. */
export const connectPaths = {
  callback: "/api/integrations/oauth/callback",
  slack: "/api/integrations/slack/connect",
  slackCallback: "/api/integrations/slack/callback"
} as const
