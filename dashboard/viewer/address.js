/* The address follows the moment, so that it can be copied; browsers allow only so many changes in a second. */

export class Address {
  constructor(write) {
    this.write = write;
    this.written = 0;
  }

  keep(place) {
    clearTimeout(this.timer);
    const wait = 300 - (Date.now() - this.written);
    if (wait <= 0) this.now(place);
    else this.timer = setTimeout(() => this.now(place), wait);
  }

  now(place) {
    this.written = Date.now();
    this.write(place);
  }

  close() {
    clearTimeout(this.timer);
  }
}
