// Renders with librsvg onto a cairo image and collects the encoder's bytes.
#include "regrove/draw/png.hpp"

#include <cmath>
#include <memory>

#include <cairo.h>
#include <librsvg/rsvg.h>

#include "regrove/core/error.hpp"

namespace regrove::draw {
namespace {

constexpr double k_most_pixels_a_side = 32767;  // of a cairo image surface

struct Release {
    void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const { cairo_destroy(context); }
    void operator()(GError* error) const { g_error_free(error); }
};
template <class T>
using Owned = std::unique_ptr<T, Release>;

[[noreturn]] void fail(GError* raw) {
    const Owned<GError> error(raw);
    throw InternalError(std::string("librsvg cannot draw the picture: ") +
                        (error ? error->message : "unknown reason"));
}

Owned<RsvgHandle> parse(std::string_view svg) {
    GError* error = nullptr;
    const auto* bytes = reinterpret_cast<const guint8*>(svg.data());
    Owned<RsvgHandle> handle(rsvg_handle_new_from_data(bytes, svg.size(), &error));
    if (!handle) fail(error);
    return handle;
}

cairo_status_t append(void* closure, const unsigned char* bytes, unsigned int size) {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(bytes), size);
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace

std::string png_from_svg(std::string_view svg, double scale) {
    const Owned<RsvgHandle> handle = parse(svg);
    double width = 0;
    double height = 0;
    if (rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height) == 0)
        throw InternalError("the picture to draw has no size in pixels");
    width = std::ceil(width * scale);
    height = std::ceil(height * scale);
    if (width > k_most_pixels_a_side || height > k_most_pixels_a_side)
        throw LimitError(
            "a PNG of " + std::to_string(static_cast<long>(width)) + " x " +
            std::to_string(static_cast<long>(height)) +
            " pixels is too large (at most 32767 a side); write SVG, or lower --scale or --max-depth-drawn");

    const Owned<cairo_surface_t> surface(
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(width), static_cast<int>(height)));
    const Owned<cairo_t> context(cairo_create(surface.get()));
    const RsvgRectangle page{0, 0, width, height};
    GError* error = nullptr;
    if (rsvg_handle_render_document(handle.get(), context.get(), &page, &error) == 0) fail(error);

    std::string png;
    const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, &png);
    if (status != CAIRO_STATUS_SUCCESS)
        throw LimitError(std::string("cannot make the PNG: ") + cairo_status_to_string(status));
    return png;
}

}  // namespace regrove::draw
