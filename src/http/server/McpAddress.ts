/** Where the MCP server is, and what tells a client how to be let in (RFC 9728, RFC 8414). */

export const mcpPath = "/api/mcp"

/** Whether the URL of a request line is one of the MCP server's addresses. */
export const isOfMcp = (url: string): boolean => /^\/api\/mcp(?:[/?]|$)/.test(url)

/** The description of the MCP server as a protected resource: its own address is added to this path. */
export const resourceMetadataPath = "/.well-known/oauth-protected-resource"
export const serverMetadataPath = "/.well-known/oauth-authorization-server"

/** Where the authorization servers of external MCP servers send people back to, and where they read what we are. */
export const clientPaths = { callback: "/oauth/callback", metadata: "/oauth/client-metadata.json" } as const

/** This service as a client of such a server. */
export const ownClient = (publicBaseUrl: string) => ({
  redirectUri: `${publicBaseUrl}${clientPaths.callback}`,
  metadataUrl: `${publicBaseUrl}${clientPaths.metadata}`
})
