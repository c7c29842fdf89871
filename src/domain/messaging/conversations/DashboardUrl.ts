/** The page of the dashboard that shows a conversation or a call: the dashboard finds it by its id. */
export const dashboardUrl = (publicBaseUrl: string, id: string) => `${publicBaseUrl}/go/${id}`
