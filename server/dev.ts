import { migrate, migrations } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { createApp } from './app.ts';
import { ensureSecret, readConfig } from './config.ts';
import { createLog } from './http/log.ts';
import { projectRoot } from './root.ts';
import { createSystemActor } from './services/audit/audit.ts';
import { createAuth } from './services/session/auth.ts';
import { createFirstAdministrator } from './services/users/first-administrator.ts';

const envConfig = readConfig(process.env, projectRoot);
const database = openDatabase(envConfig.databaseUrl, { root: projectRoot, createIfMissing: true });
const config = ensureSecret(envConfig);
await migrate(database, migrations, config);
const administrator = await createFirstAdministrator(database.db, createSystemActor(config), {
  email: config.adminEmail,
  password: config.adminPassword,
});
if (administrator)
  process.stdout.write(`Primer administrador: ${administrator.email} ${administrator.password}\n`);

export default createApp({
  db: database.db,
  auth: createAuth(database.db, { secret: config.secret, baseURL: 'http://localhost:5173' }),
  config,
  log: createLog(config.logLevel === 'info' ? 'warn' : config.logLevel),
  now: () => new Date(),
  isDevelopment: true,
});
