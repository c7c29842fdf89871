/** Light or dark: the system's, until a person chooses. */
import { read, write } from "./storage.ts"

export const themes = ["system", "light", "dark"] as const
export type Theme = (typeof themes)[number]

const dark = matchMedia("(prefers-color-scheme: dark)")

export const theme = (): Theme => themes.find((one) => one === read("theme")) ?? "system"

const apply = () => {
  const chosen = theme()
  document.documentElement.dataset.theme = chosen === "system" ? (dark.matches ? "dark" : "light") : chosen
}

export const chooseTheme = (next: Theme): void => {
  write("theme", next)
  apply()
}

/** Applies the theme, and follows the system. */
export const startTheme = (): void => {
  apply()
  dark.addEventListener("change", apply)
}
