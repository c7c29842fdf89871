/** Fills the placeholders of quick replies: `{{name}}`, `{{firstName|there}}`, as the service describes them. */

export interface PlaceholderContact {
  readonly name: string | null
  readonly phone: string | null
  readonly email?: string | null
}

export const fill = (text: string, contact: PlaceholderContact): string =>
  text.replace(/\{\{([^{}]*)\}\}/g, (whole, inside: string) => {
    const [name = "", ...rest] = inside.split("|")
    const otherwise = rest.length === 0 ? undefined : rest.join("|").trim()
    const values: Readonly<Record<string, string | null | undefined>> = {
      name: contact.name,
      firstName: contact.name?.trim().split(/\s+/)[0],
      phone: contact.phone,
      email: contact.email
    }
    return values[name.trim()] ?? otherwise ?? whole
  })
