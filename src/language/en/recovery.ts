/** Of what ends when an account is taken back: by a new password, a reset of the second factors, the end of all sessions. */
export const recovery = {
  endMine: {
    api_tokens: 'End my API tokens too',
    shares: 'End my shares too',
    displays: 'End my displays too',
  },
  endThoseOf: {
    api_tokens: (user: string) => `End the API tokens of ${user} too`,
    shares: (user: string) => `End the shares of ${user} too`,
    displays: (user: string) => `End the displays of ${user} too`,
  },
  endHint:
    'Anyone who had access to the account may have made some. Programs that use the API tokens need new ones, screens have to be paired again, and the links stop working.',
  ended: {
    api_tokens: (count: number) =>
      count === 1 ? 'One API token has ended.' : `${count} API tokens have ended.`,
    shares: (count: number) => (count === 1 ? 'One share has ended.' : `${count} shares have ended.`),
    displays: (count: number) => (count === 1 ? 'One display has ended.' : `${count} displays have ended.`),
  },
};
