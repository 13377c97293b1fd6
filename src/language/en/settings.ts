export const settings = {
  title: 'Settings',
  groups: { people: 'People', ways: 'Ways in', house: 'House' },
  users: 'Users',
  access: 'Access',
  sessions: 'Sessions',
  tokens: 'API tokens',
  shares: 'Shares',
  appearance: 'Appearance',
  audit: 'Audit',
  configuration: 'Configuration',
  adminsOnly: 'Settings are for admins',
  yourRole: (role: string) => `Your role is ${role}. Ask an admin to change something here.`,
};
