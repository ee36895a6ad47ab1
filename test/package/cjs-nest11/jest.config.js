module.exports = {
  rootDir: 'src',
  testRegex: '\\.spec\\.ts$',
  transform: { '^.+\\.(t|j)s$': ['ts-jest', { tsconfig: '<rootDir>/../tsconfig.json' }] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  // The one line that the library needs: it is ESM, and Jest on Node 20 runs no ESM by itself.
  transformIgnorePatterns: ['node_modules/(?!@kinetis/)'],
};
