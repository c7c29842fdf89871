import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clientMetadata } from "../../../../src/domain/people/oauth/ClientMetadata.ts"
import { scopesOf, usualScopes } from "../../../../src/domain/people/oauth/GrantableScopes.ts"
import { OAuthRefused } from "../../../../src/domain/people/oauth/OAuthRefused.ts"

const uri = "https://assistant.example/callback"

describe("what a client says of itself", () => {
  it("is read with its defaults, and without what nobody asked for", () => {
    expect(clientMetadata({ redirect_uris: [uri], software_id: "x", logo_uri: 3 })).toEqual({
      name: "Unnamed client",
      redirectUris: [uri],
      authMethod: undefined,
      applicationType: undefined
    })
  })

  it.each([
    [null, "invalid_client_metadata"],
    [[], "invalid_client_metadata"],
    ["x", "invalid_client_metadata"],
    [{}, "invalid_client_metadata"],
    [{ redirect_uris: uri }, "invalid_client_metadata"],
    [{ redirect_uris: [] }, "invalid_client_metadata"],
    [{ redirect_uris: Array.from({ length: 11 }, () => uri) }, "invalid_client_metadata"],
    [{ redirect_uris: [uri], client_name: 1 }, "invalid_client_metadata"],
    [{ redirect_uris: [uri], grant_types: ["client_credentials"] }, "invalid_client_metadata"],
    [{ redirect_uris: [uri], response_types: ["token"] }, "invalid_client_metadata"],
    [{ redirect_uris: [uri], application_type: "toaster" }, "invalid_client_metadata"],
    [{ redirect_uris: [uri, "javascript:alert(1)"] }, "invalid_redirect_uri"]
  ])("is refused when it is %j", (json, code) => {
    const refused = clientMetadata(json)
    expect(refused).toBeInstanceOf(OAuthRefused)
    expect(refused).toMatchObject({ code })
  })

  it("never has a name that hides or turns around what follows it, or more than 100 characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (client_name) => {
        const read = clientMetadata({ client_name, redirect_uris: [uri] })
        if (read instanceof OAuthRefused) throw read
        expect(read.name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u)
        expect([...read.name].length).toBeLessThanOrEqual(100)
        expect(read.name.trim()).not.toBe("")
      })
    )
  })

  it("is refused in ASCII without quotation marks, as RFC 6749 wants it", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (redirect_uris) => {
        const read = clientMetadata({ redirect_uris })
        if (read instanceof OAuthRefused) expect(read.description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
      })
    )
  })
})

describe("the scopes of a request", () => {
  it("are the usual ones when it names none, and always mcp", () => {
    expect(scopesOf(undefined)).toEqual(usualScopes)
    expect(scopesOf("offline_access ")).toEqual(usualScopes)
    expect(scopesOf("contacts:read  contacts:read offline_access")).toEqual(["mcp", "contacts:read"])
  })

  it.each(["admin", "mcp admin", "contacts:read openid", "MCP", "toString"])("are refused when they are %s", (text) => {
    expect(scopesOf(text)).toMatchObject({ code: "invalid_scope" })
  })
})
