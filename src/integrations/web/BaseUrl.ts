/** `baseUrl` and `path` (which begins with a slash) joined by exactly one slash, however the settings spell the base. */
export const endpoint = (baseUrl: string, path: string): string => `${baseUrl.replace(/\/+$/, "")}${path}`
