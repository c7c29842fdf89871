/** The first letters of a service in a square. */
export const Mark = ({ title }: { readonly title: string }) => (
  <span
    aria-hidden="true"
    className="grid size-8 shrink-0 place-items-center rounded-lg bg-sunken font-semibold text-ink-2 select-none"
  >
    {title.slice(0, 2)}
  </span>
)
