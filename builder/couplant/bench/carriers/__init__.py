"""Carriers of the messages of a bench: UDP, zenoh, MQTT."""
