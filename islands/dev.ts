// In development the page loads this in place of client.ts: React Refresh has to be there before React.
import '@vitejs/plugin-react/preamble';

await import('./client.ts');
