export { testBackendContext as bareContext } from '../../lib/testing/test-backend-context.js';
