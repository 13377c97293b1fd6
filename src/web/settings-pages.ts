/** The pages of Settings, loaded together when the first of them is asked for. */
export { ConfigurationPage } from './configuration-page.tsx';
export { RolesPage } from './roles-page.tsx';
export { SessionsPage } from './sessions-page.tsx';
export { TokensPage } from './tokens-page.tsx';
export { UsersPage } from './users-page.tsx';
