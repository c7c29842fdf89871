/** What this browser remembers of a person's choices. Nothing secret, and nothing of customers. */

const prefix = "parley."

export const read = (name: string): string | undefined => {
  try {
    return localStorage.getItem(prefix + name) ?? undefined
  } catch {
    // Storage can be forbidden: choices then last as long as the page.
    return undefined
  }
}

export const write = (name: string, value: string): void => {
  try {
    localStorage.setItem(prefix + name, value)
  } catch {
    // As above.
  }
}

/** Drafts of texts last as long as the tab, also over a reload. */
export const readDraft = (name: string): string => {
  try {
    return sessionStorage.getItem(`${prefix}draft.${name}`) ?? ""
  } catch {
    return ""
  }
}

export const writeDraft = (name: string, text: string): void => {
  try {
    if (text === "") sessionStorage.removeItem(`${prefix}draft.${name}`)
    else sessionStorage.setItem(`${prefix}draft.${name}`, text)
  } catch {
    // As above.
  }
}

/** Forgets all drafts: at sign-out. */
export const forgetDrafts = (): void => {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name)
  } catch {
    // As above.
  }
}
