/** Marks a message of a table that is translated where it is shown, by `t(entry)`. Pure, so that tables can be tested without a page. */
export const message = (id: string): string => id
