// No fault until SIGUSR2: then a promise that nobody waits for fails.
process.on('SIGUSR2', () => {
  void Promise.reject(new Error('Nobody waits for this.'));
});
