/** The columns that companies and suppliers share. */

interface Partner {
  readonly name: string
  readonly phone: string | null
  readonly email: string | null
  readonly address: string | null
  readonly notes: string | null
}

type Given = { readonly [Field in keyof Partner]?: Partner[Field] }

/** The fields after an input: what is not given keeps its value. */
export const partnerOf = (given: Given, before: Partner | undefined): Partner => {
  const text = (field: Exclude<keyof Partner, "name">) => {
    const value = given[field]
    return value === undefined ? (before?.[field] ?? null) : (value?.trim() ?? null)
  }
  return {
    name: (given.name ?? before?.name ?? "").trim(),
    phone: text("phone"),
    email: text("email"),
    address: text("address"),
    notes: text("notes")
  }
}

export const partnerColumns = ({ name, phone, email, address, notes }: Partner) => ({
  name,
  phone,
  email,
  address,
  notes
})
