import { join } from "node:path"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"
import { catalogs } from "./build/catalogs.ts"
import { compressed } from "./build/compressed.ts"
import { distFolder } from "./build/freshness.ts"

/** Where `npm run dev` has the service. */
const service = process.env.PARLEY_URL ?? "http://127.0.0.1:8080"

export default defineConfig({
  root: import.meta.dirname,
  cacheDir: join(import.meta.dirname, "../node_modules/.cache/vite"),
  plugins: [react(), tailwindcss(), catalogs(), compressed()],
  resolve: { alias: { "@parley/client": join(import.meta.dirname, "../clients/typescript/src/index.ts") } },
  build: {
    outDir: distFolder,
    emptyOutDir: true,
    target: ["chrome120", "firefox121", "safari17.2"],
    // A file in a page would need `data:` in its policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What each page fetches is weighed by it (`web/build/budgets.ts`).
    manifest: true,
    rolldownOptions: {
      output: {
        // A chunk that several pages share would have the names of all of them.
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, "")}-[hash].js`,
        // What every page needs is one file. What several pages share is in few: each small piece goes to the next one that is fetched with it.
        codeSplitting: {
          groups: [
            { name: "shell", tags: ["$initial"], priority: 2 },
            {
              name: "shell",
              test: /src\/(components\/(Page|Chip|Card|Segmented)|lib\/time|api\/people)\.tsx?$/,
              priority: 2
            },
            // The pages of settings are many: what they share must not come with others.
            {
              name: "settings",
              test: /src\/features\/settings\/|src\/components\/(Checkbox|HeaderRows|SecretOnce|TypedName)/,
              minShareCount: 2,
              priority: 2
            },
            { name: "shared", minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 300, priority: 1 }
          ]
        }
      }
    },
    chunkSizeWarningLimit: 1_000
  },
  worker: { format: "es" },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": service, "/docs": service, "/openapi.json": service, "/media": { target: service, ws: true } }
  }
})
