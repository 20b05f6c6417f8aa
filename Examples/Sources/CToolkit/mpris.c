#include "ctoolkit.h"

#include <gio/gio.h>

/* The two interfaces of MPRIS 2.2 that every player has: names and types are the specification's. */
static const char description[] =
	"<node>"
	"<interface name='org.mpris.MediaPlayer2'>"
	"<method name='Raise'/><method name='Quit'/>"
	"<property name='CanQuit' type='b' access='read'/>"
	"<property name='CanRaise' type='b' access='read'/>"
	"<property name='HasTrackList' type='b' access='read'/>"
	"<property name='Identity' type='s' access='read'/>"
	"<property name='DesktopEntry' type='s' access='read'/>"
	"<property name='SupportedUriSchemes' type='as' access='read'/>"
	"<property name='SupportedMimeTypes' type='as' access='read'/>"
	"</interface>"
	"<interface name='org.mpris.MediaPlayer2.Player'>"
	"<method name='Next'/><method name='Previous'/><method name='Pause'/><method name='PlayPause'/>"
	"<method name='Stop'/><method name='Play'/>"
	"<method name='Seek'><arg direction='in' type='x'/></method>"
	"<method name='SetPosition'><arg direction='in' type='o'/><arg direction='in' type='x'/></method>"
	"<method name='OpenUri'><arg direction='in' type='s'/></method>"
	"<signal name='Seeked'><arg type='x'/></signal>"
	"<property name='PlaybackStatus' type='s' access='read'/>"
	"<property name='Rate' type='d' access='read'/>"
	"<property name='MinimumRate' type='d' access='read'/>"
	"<property name='MaximumRate' type='d' access='read'/>"
	"<property name='Volume' type='d' access='read'/>"
	"<property name='Metadata' type='a{sv}' access='read'/>"
	"<property name='Position' type='x' access='read'/>"
	"<property name='CanGoNext' type='b' access='read'/>"
	"<property name='CanGoPrevious' type='b' access='read'/>"
	"<property name='CanPlay' type='b' access='read'/>"
	"<property name='CanPause' type='b' access='read'/>"
	"<property name='CanSeek' type='b' access='read'/>"
	"<property name='CanControl' type='b' access='read'/>"
	"</interface>"
	"</node>";

static const char path[] = "/org/mpris/MediaPlayer2";
static const char player_interface[] = "org.mpris.MediaPlayer2.Player";
static const char track[] = "/org/mpris/MediaPlayer2/Track/1";

struct ct_mpris {
	GDBusConnection *bus;
	char *identity, *entry, *status, *title, *artist, *artwork;
	double length, position;
	ct_mpris_calls calls;
	void *user;
};

static void called(GDBusConnection *bus, const char *sender, const char *object, const char *interface, const char *method,
				   GVariant *parameters, GDBusMethodInvocation *invocation, gpointer data) {
	(void)bus;
	(void)sender;
	(void)object;
	(void)interface;
	ct_mpris *mpris = data;
	if (g_str_equal(method, "Seek")) {
		gint64 by;
		g_variant_get(parameters, "(x)", &by);
		mpris->calls.seek(mpris->user, by / 1e6);
	} else if (g_str_equal(method, "SetPosition")) {
		gint64 to;
		g_variant_get(parameters, "(ox)", NULL, &to);
		mpris->calls.position(mpris->user, to / 1e6);
	} else if (g_str_equal(method, "Quit")) {
		ct_quit();
	} else if (!g_str_equal(method, "Raise") && !g_str_equal(method, "OpenUri")) {
		mpris->calls.command(mpris->user, method);
	}
	g_dbus_method_invocation_return_value(invocation, NULL);
}

static GVariant *metadata(ct_mpris *mpris) {
	GVariantBuilder fields;
	g_variant_builder_init(&fields, G_VARIANT_TYPE("a{sv}"));
	g_variant_builder_add(&fields, "{sv}", "mpris:trackid", g_variant_new_object_path(track));
	g_variant_builder_add(&fields, "{sv}", "xesam:title", g_variant_new_string(mpris->title));
	const char *artists[] = {mpris->artist, NULL};
	g_variant_builder_add(&fields, "{sv}", "xesam:artist", g_variant_new_strv(artists, -1));
	if (mpris->artwork[0] != 0)
		g_variant_builder_add(&fields, "{sv}", "mpris:artUrl", g_variant_new_string(mpris->artwork));
	if (mpris->length > 0) {
		g_variant_builder_add(&fields, "{sv}", "mpris:length", g_variant_new_int64((gint64)(mpris->length * 1e6)));
	}
	return g_variant_builder_end(&fields);
}

static GVariant *property(GDBusConnection *bus, const char *sender, const char *object, const char *interface, const char *name,
						  GError **error, gpointer data) {
	(void)bus;
	(void)sender;
	(void)object;
	(void)interface;
	ct_mpris *mpris = data;
	if (g_str_equal(name, "Identity"))
		return g_variant_new_string(mpris->identity);
	if (g_str_equal(name, "DesktopEntry"))
		return g_variant_new_string(mpris->entry);
	if (g_str_equal(name, "PlaybackStatus"))
		return g_variant_new_string(mpris->status);
	if (g_str_equal(name, "Metadata"))
		return metadata(mpris);
	if (g_str_equal(name, "Position"))
		return g_variant_new_int64((gint64)(mpris->position * 1e6));
	if (g_str_has_prefix(name, "Supported"))
		return g_variant_new_strv(NULL, 0);
	if (g_str_has_suffix(name, "Rate") || g_str_equal(name, "Volume"))
		return g_variant_new_double(1);
	if (g_str_equal(name, "CanRaise") || g_str_equal(name, "HasTrackList") || g_str_has_prefix(name, "CanGo")) {
		return g_variant_new_boolean(FALSE);
	}
	if (g_str_has_prefix(name, "Can"))
		return g_variant_new_boolean(TRUE);
	g_set_error(error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_PROPERTY, "no property is called %s", name);
	return NULL;
}

static const GDBusInterfaceVTable table = {called, property, NULL, {0}};

ct_mpris *ct_mpris_new(const char *name, const char *identity, const char *entry, ct_mpris_calls calls, void *user) {
	GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
	if (bus == NULL)
		return NULL;
	ct_mpris *mpris = g_new0(ct_mpris, 1);
	mpris->bus = bus;
	mpris->identity = g_strdup(identity);
	mpris->entry = g_strdup(entry);
	mpris->status = g_strdup("Stopped");
	mpris->title = g_strdup("");
	mpris->artist = g_strdup("");
	mpris->artwork = g_strdup("");
	mpris->calls = calls;
	mpris->user = user;
	GDBusNodeInfo *node = g_dbus_node_info_new_for_xml(description, NULL);
	for (int i = 0; node->interfaces[i] != NULL; i++) {
		g_dbus_connection_register_object(bus, path, node->interfaces[i], &table, mpris, NULL, NULL);
	}
	g_dbus_node_info_unref(node);
	char *full = g_strconcat("org.mpris.MediaPlayer2.", name, NULL);
	g_bus_own_name_on_connection(bus, full, G_BUS_NAME_OWNER_FLAGS_NONE, NULL, NULL, NULL, NULL);
	g_free(full);
	return mpris;
}

static void replace(char **old, const char *new) {
	g_free(*old);
	*old = g_strdup(new);
}

void ct_mpris_set(ct_mpris *mpris, const char *status, const char *title, const char *artist, const char *artwork, double length,
				  double position) {
	if (mpris == NULL)
		return;
	mpris->position = position;
	bool same = g_str_equal(mpris->status, status) && g_str_equal(mpris->title, title) && mpris->length == length;
	replace(&mpris->status, status);
	replace(&mpris->title, title);
	replace(&mpris->artist, artist);
	replace(&mpris->artwork, artwork);
	mpris->length = length;
	if (same)
		return;
	GVariantBuilder changed;
	g_variant_builder_init(&changed, G_VARIANT_TYPE("a{sv}"));
	g_variant_builder_add(&changed, "{sv}", "PlaybackStatus", g_variant_new_string(status));
	g_variant_builder_add(&changed, "{sv}", "Metadata", metadata(mpris));
	g_dbus_connection_emit_signal(mpris->bus, NULL, path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
								  g_variant_new("(sa{sv}as)", player_interface, &changed, NULL), NULL);
}

void ct_mpris_seeked(ct_mpris *mpris, double position) {
	if (mpris == NULL)
		return;
	mpris->position = position;
	g_dbus_connection_emit_signal(mpris->bus, NULL, path, player_interface, "Seeked", g_variant_new("(x)", (gint64)(position * 1e6)), NULL);
}
