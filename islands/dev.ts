// In development the page loads this instead of client.ts: React Refresh has to be loaded before React.
import '@vitejs/plugin-react/preamble';

await import('./client.ts');
