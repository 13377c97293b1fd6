/* The subcommands of features: `postern` lists them all, and says which of them are off. */
export { tokensCommand } from './api-tokens/command.ts';
export { displaysCommand } from './displays/command.ts';
export { notificationsCommand } from './alerts/command.ts';
export { inviteCommand } from './invitations/command.ts';
export { sharesCommand } from './shares/command.ts';
