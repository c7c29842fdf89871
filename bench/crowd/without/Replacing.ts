/**
 * Replaces a module of the service by a module of the bench that costs nothing. The difference shows what a necessary part of a call costs. It is
 * used by files that `node --import` loads before the service.
 */
import { existsSync } from "node:fs"
import { registerHooks } from "node:module"

export const replace = (module: URL, by: URL): void => {
  if (!existsSync(module)) throw new Error(`there is no ${module.pathname} to be replaced`)
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context)
      return found.url === module.href ? { ...found, url: by.href } : found
    }
  })
}
