/** Texts of a new password, a reset of the second factors and the end of all sessions: what ends with it. */
export const recovery = {
  endMine: {
    api_tokens: 'End my API tokens too',
    shares: 'End my shares too',
    displays: 'End my screens too',
  },
  endThoseOf: {
    api_tokens: (user: string) => `End the API tokens of ${user} too`,
    shares: (user: string) => `End the shares of ${user} too`,
    displays: (user: string) => `End the screens of ${user} too`,
  },
  endHint:
    'Anyone who had access to the account may have made some. Once they end, programs that use the API tokens need new ones, screens have to be paired again, and the links stop working.',
  ended: {
    api_tokens: (count: number) =>
      count === 1 ? 'One API token has ended.' : `${count} API tokens have ended.`,
    shares: (count: number) => (count === 1 ? 'One share has ended.' : `${count} shares have ended.`),
    displays: (count: number) => (count === 1 ? 'One screen has ended.' : `${count} screens have ended.`),
  },
  addressEnded: 'The address for alerts of the account was removed.',
};
