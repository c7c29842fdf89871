/**
 * What a part of a call costs that no service can do without is seen by a service that has another in its place, which costs nothing. The place is a
 * module of the service: this has a module of the bench loaded instead. For a file that `node --import` loads before the service.
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
