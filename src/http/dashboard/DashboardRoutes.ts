/** The dashboard: its pages, and the files that they load. Everything comes from this server; the pages load nothing else and run nothing inline. */
import { createHash } from "node:crypto"
import { Context, Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { nothingHere } from "../wire/Errors.ts"
import { problemPage } from "../wire/pages/Page.ts"
import type { Declared } from "../wire/RoutePatterns.ts"
import { builtFileResponse } from "./BuiltFileResponse.ts"
import { type BuiltFile, readBuiltDashboard } from "./BuiltFiles.ts"
import { assetPath, dashboardPages } from "./DashboardPages.ts"

export interface DashboardOptions {
  /** The folder that `npm run build:web` writes. Without it, or when it is empty, the pages say that they are not built. */
  readonly dashboard?: string
  /** Where media streams connect, `wss://…`: test calls of the pages go there. */
  readonly streamUrl?: string
}

/** Which requests these routes take, for 405. */
export const DashboardDeclared: Declared = {
  groups: {
    dashboard: {
      endpoints: Object.fromEntries(
        [...dashboardPages, assetPath].map((path) => [path, { method: "GET", path, annotations: Context.empty() }])
      )
    }
  }
}

/** The scripts within the page, which may run because their hash is named: one line that sets the theme before anything is painted. */
const scriptHashes = (page: BuiltFile): string =>
  [
    ...Buffer.from(page.bytes)
      .toString("utf8")
      .matchAll(/<script>(.*?)<\/script>/gs)
  ]
    .map(([, script]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`)
    .join(" ")

/**
 * What a page may load and run. Files of messages and recordings come from this server too; previews of files that are being sent are `blob:`. Besides,
 * pages connect to `streamUrl` only, which is another server where engines have an address of their own.
 */
export const dashboardPolicy = (page: BuiltFile, streamUrl?: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${scriptHashes(page)}`.trimEnd(),
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    `connect-src 'self'${streamUrl === undefined ? "" : ` ${new URL(streamUrl).origin}`}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'"
  ].join("; ")

/** The name has a hash, so what a browser has stored never changes. */
const forever = {
  "cache-control": "public, max-age=31536000, immutable",
  "cross-origin-resource-policy": "same-origin"
}

const notBuilt = problemPage(
  404,
  "The dashboard is not built",
  "Run npm run build:web where the service is installed, and start the service again. The interface works without it: see /docs."
)

export const layer = ({ dashboard, streamUrl }: DashboardOptions) =>
  HttpRouter.use(
    Effect.fn(function* (router) {
      const built = dashboard === undefined ? undefined : readBuiltDashboard(dashboard)
      const request = HttpServerRequest.HttpServerRequest
      const ofPage =
        built === undefined
          ? {}
          : {
              "cache-control": "no-cache",
              "content-security-policy": dashboardPolicy(built.page, streamUrl),
              "cross-origin-opener-policy": "same-origin",
              "permissions-policy": "camera=(), geolocation=(), microphone=(self), payment=(), usb=()"
            }
      const shown =
        built === undefined
          ? Effect.succeed(notBuilt)
          : Effect.map(request, (asked) => builtFileResponse(asked, built.page, ofPage))
      const asset = Effect.map(Effect.all([request, HttpRouter.params]), ([asked, { file = "" }]) => {
        const found = built?.assets.get(file)
        return found === undefined ? nothingHere : builtFileResponse(asked, found, forever)
      })
      for (const path of dashboardPages) yield* router.add("GET", path, shown)
      yield* router.add("GET", assetPath, asset)
    })
  )
