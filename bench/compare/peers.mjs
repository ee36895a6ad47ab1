// Peers are loaded from their own package: bench/peers.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(new URL('../peers/package.json', import.meta.url));

/** A module that can be required. */
export const peer = (name) => require(name);

/** An ES module. */
export const esmPeer = (name) => import(pathToFileURL(require.resolve(name)).href);
