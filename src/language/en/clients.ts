/** What clients call themselves. */
export const clients = {
  unnamed: 'Unnamed client',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
};
